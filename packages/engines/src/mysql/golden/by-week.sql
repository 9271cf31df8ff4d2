SELECT DATE(`date`) - INTERVAL WEEKDAY(`date`) DAY AS `date`,
       MAX(`temp_max`) AS `MAX(temp_max)`
FROM `seattle_weather`
GROUP BY DATE(`date`) - INTERVAL WEEKDAY(`date`) DAY
ORDER BY `date` IS NULL ASC, `date` ASC
LIMIT 60;
-- []
