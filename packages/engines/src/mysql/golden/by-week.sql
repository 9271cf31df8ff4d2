SELECT DATE(`date`) - INTERVAL DAYOFWEEK(`date`) - 1 DAY AS `date`,
       MAX(`temp_max`) AS `MAX(temp_max)`
FROM `seattle_weather`
GROUP BY DATE(`date`) - INTERVAL DAYOFWEEK(`date`) - 1 DAY
ORDER BY `date` IS NULL ASC, `date` ASC
LIMIT 60;
-- []
