SELECT DATE(`date`) AS `date`,
       MAX(`temp_max`) AS `MAX(temp_max)`
FROM `seattle_weather`
GROUP BY DATE(`date`)
ORDER BY `date` IS NULL ASC, `date` ASC
LIMIT 60;
-- []
